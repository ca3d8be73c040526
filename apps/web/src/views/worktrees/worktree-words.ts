// Words of the dialogs about a worktree, in every language of the page: beside them, because they are loaded with them.
import { useLanguage } from '../../text/language.ts';
import type { UiLanguage } from '../../text/load-texts.ts';
import { plural } from '../../text/plural.ts';

const en = {
  mergeTitle: 'Merge worktree',
  mergeAbout: (branch: string, into: string) =>
    `${branch} is merged into ${into}, as git merge does. The worktree stays.`,
  mergeInto: (into: string) => `Merge into ${into}`,
  merged: (branch: string, into: string) => `${branch} was merged into ${into}.`,
  nothing: (into: string) => `There is nothing to merge: ${into} has it all.`,
  noBranch: 'No branch is checked out in the workspace or in the worktree. Switch to one first.',
  uncommitted: (count: number) =>
    plural('en', count, { one: '# file is not committed', other: '# files are not committed' }),
  message: 'Commit message',
  messageHint: 'What is not committed is committed with this message before the merge.',
  commits: (count: number, into: string) =>
    plural('en', count, { one: `# commit is not in ${into}`, other: `# commits are not in ${into}` }),
  conflicts: 'These files conflict. The workspace was not changed.',
  conflictHint: (into: string) =>
    `Merge ${into} into the branch in the worktree, resolve the conflicts there, and merge again. You can ask the agent to do it.`,
  dropTitle: 'Drop worktree',
  dropAbout: (path: string) =>
    `The folder ${path} is removed. The session stays readable, but nothing can be run in it any more.`,
  filesLost: (count: number) =>
    plural('en', count, {
      one: '# file is not committed and will be lost',
      other: '# files are not committed and will be lost',
    }),
  ignoredLost: (count: number) =>
    plural('en', count, {
      one: '# file is ignored by git and will be lost',
      other: '# files are ignored by git and will be lost',
    }),
  commitsLost: (count: number) =>
    plural('en', count, { one: '# commit will be lost', other: '# commits will be lost' }),
  commitsKept: (count: number, branch: string) =>
    plural('en', count, {
      one: `# commit is not merged and stays on ${branch}`,
      other: `# commits are not merged and stay on ${branch}`,
    }),
  nothingLost: 'Nothing is lost: everything is committed and merged.',
  deleteBranch: (branch: string) => `Delete the branch ${branch} as well`,
  changed: 'More changed since you looked. This is what would be lost now.',
  dropYes: 'Drop worktree',
  more: (count: number) => `and ${count} more`,
};

const ru: typeof en = {
  mergeTitle: 'Слить рабочее дерево',
  mergeAbout: (branch, into) =>
    `Ветка ${branch} сливается в ${into}, как делает git merge. Рабочее дерево остаётся.`,
  mergeInto: (into) => `Слить в ${into}`,
  merged: (branch, into) => `Ветка ${branch} слита в ${into}.`,
  nothing: (into) => `Сливать нечего: в ${into} всё уже есть.`,
  noBranch: 'В проекте или в рабочем дереве не выбрана ветка. Сначала переключитесь на ветку.',
  uncommitted: (count) =>
    plural('ru', count, {
      one: '# файл не зафиксирован',
      few: '# файла не зафиксированы',
      many: '# файлов не зафиксированы',
      other: '# файла не зафиксированы',
    }),
  message: 'Сообщение коммита',
  messageHint: 'Незафиксированное фиксируется с этим сообщением перед слиянием.',
  commits: (count, into) =>
    plural('ru', count, {
      one: `# коммита нет в ${into}`,
      few: `# коммитов нет в ${into}`,
      many: `# коммитов нет в ${into}`,
      other: `# коммита нет в ${into}`,
    }),
  conflicts: 'В этих файлах конфликты. Проект не изменён.',
  conflictHint: (into) =>
    `Слейте ${into} в ветку рабочего дерева, разрешите там конфликты и слейте снова. Можно поручить это агенту.`,
  dropTitle: 'Удалить рабочее дерево',
  dropAbout: (path) =>
    `Папка ${path} удаляется. Сеанс можно читать, но выполнять в нём больше ничего нельзя.`,
  filesLost: (count) =>
    plural('ru', count, {
      one: '# файл не зафиксирован и будет потерян',
      few: '# файла не зафиксированы и будут потеряны',
      many: '# файлов не зафиксированы и будут потеряны',
      other: '# файла не зафиксированы и будут потеряны',
    }),
  ignoredLost: (count) =>
    plural('ru', count, {
      one: '# файл игнорируется git и будет потерян',
      few: '# файла игнорируются git и будут потеряны',
      many: '# файлов игнорируются git и будут потеряны',
      other: '# файла игнорируются git и будут потеряны',
    }),
  commitsLost: (count) =>
    plural('ru', count, {
      one: '# коммит будет потерян',
      few: '# коммита будут потеряны',
      many: '# коммитов будут потеряны',
      other: '# коммита будут потеряны',
    }),
  commitsKept: (count, branch) =>
    plural('ru', count, {
      one: `# коммит не слит и остаётся в ветке ${branch}`,
      few: `# коммита не слиты и остаются в ветке ${branch}`,
      many: `# коммитов не слиты и остаются в ветке ${branch}`,
      other: `# коммита не слиты и остаются в ветке ${branch}`,
    }),
  nothingLost: 'Ничего не потеряется: всё зафиксировано и слито.',
  deleteBranch: (branch) => `Удалить и ветку ${branch}`,
  changed: 'С тех пор изменилось ещё что-то. Вот что было бы потеряно сейчас.',
  dropYes: 'Удалить рабочее дерево',
  more: (count) => `и ещё ${count}`,
};

const zh: typeof en = {
  mergeTitle: '合并工作树',
  mergeAbout: (branch, into) => `将 ${branch} 合并到 ${into}，与 git merge 相同。工作树保留。`,
  mergeInto: (into) => `合并到 ${into}`,
  merged: (branch, into) => `${branch} 已合并到 ${into}。`,
  nothing: (into) => `没有可合并的内容：${into} 已包含全部。`,
  noBranch: '工作区或工作树没有检出分支。请先切换到一个分支。',
  uncommitted: (count) => `${count} 个文件尚未提交`,
  message: '提交说明',
  messageHint: '合并前，未提交的内容会用此说明提交。',
  commits: (count, into) => `${count} 个提交不在 ${into} 中`,
  conflicts: '这些文件有冲突。工作区未被更改。',
  conflictHint: (into) => `请在工作树中将 ${into} 合并到其分支，解决冲突后再合并。可以让智能体来做。`,
  dropTitle: '移除工作树',
  dropAbout: (path) => `将移除文件夹 ${path}。会话仍可阅读，但无法再在其中运行任何操作。`,
  filesLost: (count) => `${count} 个文件尚未提交，将会丢失`,
  ignoredLost: (count) => `${count} 个文件被 git 忽略，将会丢失`,
  commitsLost: (count) => `${count} 个提交将会丢失`,
  commitsKept: (count, branch) => `${count} 个提交尚未合并，保留在 ${branch} 上`,
  nothingLost: '不会丢失任何内容：全部已提交并合并。',
  deleteBranch: (branch) => `同时删除分支 ${branch}`,
  changed: '您查看之后又有更改。现在会丢失的内容如下。',
  dropYes: '移除工作树',
  more: (count) => `还有 ${count} 个`,
};

const words: Record<UiLanguage, typeof en> = { en, ru, zh };

export function useWorktreeWords(): typeof en {
  return words[useLanguage(({ language }) => language)];
}
