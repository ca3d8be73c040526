// The approved git configuration is the one that runs: included settings, scripts named by settings, attributes, remotes.
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import {
  type Attack,
  all,
  type Change,
  expectAskedAgain,
  git,
  write,
} from '../support/changed-after-approval.ts';

const evil = '#!/bin/sh\ntouch evil\n';
const config =
  (text: string): Change =>
  (root) =>
    appendFileSync(join(root, '.git/config'), text);
const commit = 'git commit -q --allow-empty -m x';

const attacks: Attack[] = [
  [
    'settings that an included file includes',
    { 'a.cfg': '[include]\n\tpath = b.cfg\n', 'b.cfg': '' },
    commit,
    write('b.cfg', '[core]\n\tfsmonitor = touch evil\n'),
    all(git, config('[include]\n\tpath = ../a.cfg\n')),
  ],
  [
    'an included file that was not there',
    {},
    commit,
    write('later.cfg', '[core]\n\thooksPath = h\n'),
    all(git, config('[includeIf "onbranch:main"]\n\tpath = ../later.cfg\n'), write('h/pre-commit', evil)),
  ],
  [
    'a monitor that is started at the top, for a command in a folder below',
    { 'sub/a': '' },
    'cd sub && git add a',
    write('tools/monitor', evil),
    all(git, config('[core]\n\tfsmonitor = tools/monitor\n'), write('tools/monitor', '#!/bin/sh\n')),
  ],
  [
    'attributes in a folder that choose a filter',
    { 'sub/a': '' },
    'git add sub/a',
    write('sub/.gitattributes', 'a filter=x\n'),
    all(git, config('[filter "x"]\n\tclean = cat\n')),
  ],
  [
    'a remote in a file of its own',
    {},
    'git fetch origin',
    write('.git/remotes/origin', 'URL: ./evil\n'),
    git,
  ],
  ['the address of a remote', {}, 'git fetch origin', config('[remote "origin"]\n\turl = ./evil\n'), git],
  [
    'a hook of a repository that is pushed to',
    {},
    'git push ./store main',
    write('store/hooks/update', evil),
    all(git, write('store/HEAD', 'ref: refs/heads/main\n')),
  ],
];

test.each(attacks)('%s', async (_name, ...attack) => {
  await expectAskedAgain(...attack);
});
