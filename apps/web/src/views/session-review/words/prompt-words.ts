// Words of the line that says a review waits: apart from those of the review itself, which are loaded with it.
import { type UiLanguage, useLanguage } from '../../../text/language.ts';
import { plural } from '../../../text/plural.ts';

const en = {
  open: 'Review what was changed',
  hint: 'Keep, discard or comment on what this turn changed.',
  review: (files: number) => plural('en', files, { one: 'Review # file', other: 'Review # files' }),
};

const ru: typeof en = {
  open: 'Проверить изменения',
  hint: 'Оставьте, отбросьте или прокомментируйте изменения этого хода.',
  review: (files) =>
    plural('ru', files, {
      one: 'Проверить # файл',
      few: 'Проверить # файла',
      many: 'Проверить # файлов',
      other: 'Проверить # файла',
    }),
};

const zh: typeof en = {
  open: '审查更改',
  hint: '保留、丢弃或评论这一轮的更改。',
  review: (files) => `审查 ${files} 个文件`,
};

const words: Record<UiLanguage, typeof en> = { en, ru, zh };

export function usePromptWords(): typeof en {
  return words[useLanguage(({ language }) => language)];
}
