// Words of the first start, in every language of the page: beside them, because they are loaded with them.
import { useLanguage } from '../../text/language.ts';
import type { UiLanguage } from '../../text/load-texts.ts';

const en = {
  title: 'How should the agent work in this folder?',
  hint: 'You can change this any time below the message box.',
  balanced: [
    'Reading and searching run without asking.',
    'You see each edit and each command that changes something before it happens.',
  ],
  review: [
    'Edits in the folder run without asking. Each one can be undone byte for byte.',
    'Commands run without asking inside the sandbox, without network.',
    'After each turn you review the result: keep, discard or comment on each hunk.',
  ],
  always:
    'Both ask first about network, files outside the folder, permanent deletions, git history, and files that run later (hooks, CI, package scripts).',
  noSandbox: (why: string) =>
    `There is no sandbox on this machine${why}. “Let it work, then review” can’t hold commands here, so those that change something ask first.`,
  choose: (mode: string) => `Choose “${mode}”`,
};

const ru: typeof en = {
  title: 'Как агенту работать в этой папке?',
  hint: 'Это можно изменить в любой момент под полем сообщения.',
  balanced: [
    'Чтение и поиск идут без вопроса.',
    'Каждую правку и каждую команду, которая что-то меняет, вы видите заранее.',
  ],
  review: [
    'Правки в папке идут без вопроса. Каждую можно отменить с точностью до байта.',
    'Команды идут без вопроса в песочнице, без сети.',
    'После каждого хода вы проверяете результат: оставить, отбросить или прокомментировать каждый фрагмент.',
  ],
  always:
    'В обоих режимах спрашивают о сети, файлах вне папки, необратимых удалениях, истории git и файлах, которые выполняются позже (хуки, CI, скрипты пакетов).',
  noSandbox: (why) =>
    `На этой машине нет песочницы${why}. «Работать, потом проверка» не может здесь ограничить команды, поэтому о командах, которые что-то меняют, спрашивают.`,
  choose: (mode) => `Выбрать «${mode}»`,
};

const zh: typeof en = {
  title: '智能体在此文件夹中应如何工作？',
  hint: '可随时在消息框下方更改。',
  balanced: ['读取和搜索无需询问。', '每次编辑和每条会更改内容的命令，都会先给您看。'],
  review: [
    '文件夹内的编辑无需询问，每一处都能逐字节撤销。',
    '命令在沙箱中无需询问即可运行，没有网络。',
    '每轮结束后由您审查结果：保留、丢弃或评论每个差异块。',
  ],
  always:
    '两种模式都会先询问：网络、文件夹之外的文件、无法恢复的删除、git 历史，以及之后会被执行的文件（钩子、CI、包脚本）。',
  noSandbox: (why) =>
    `此机器没有沙箱${why}。“先执行，后审查”在这里无法限制命令，因此会更改内容的命令会先询问。`,
  choose: (mode) => `选择“${mode}”`,
};

const words: Record<UiLanguage, typeof en> = { en, ru, zh };

export function useModeWords(): typeof en {
  return words[useLanguage(({ language }) => language)];
}
