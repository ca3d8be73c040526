// Words of the file tree.
import { plural } from '../plural.ts';

export const files = {
  name: 'Файлы',
  tree: 'Файлы рабочей папки',
  filter: 'Найти файл',
  refresh: 'Прочитать папки заново',
  collapse: 'Закрыть все папки',
  loading: 'Папка читается…',
  empty: 'Папка пуста.',
  none: 'Подходящих файлов нет.',
  failed: 'Папку не прочитать:',
  cut: 'В папке больше, чем показано.',
  found: (count: number) =>
    plural('ru', count, {
      one: 'Найден # файл',
      few: 'Найдено # файла',
      many: 'Найдено # файлов',
      other: 'Найдено # файла',
    }),
  more: (name: string) => `Что можно сделать с «${name}»`,
  open: 'Открыть',
  copyPath: 'Скопировать путь',
  copied: 'Путь скопирован.',
  addToContext: 'Добавить в контекст',
  inContext: (path: string) => `${path} теперь в контексте.`,
  mention: 'Упомянуть в сообщении',
  noSession: 'Сначала что-нибудь напишите: контекст есть у сеанса.',
  marks: { added: 'создан в этом сеансе', changed: 'изменён в этом сеансе', deleted: 'удалён в этом сеансе' },
  unsaved: 'не сохранён',
};
