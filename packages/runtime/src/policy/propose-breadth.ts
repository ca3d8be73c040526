// Wider rules that may be remembered for a call: any arguments for a command's programs; for an edit its file, its folder, or all edits.
// None covers what a human must see each time, and none loosens an ask rule: protected names still need approval.
import { posix } from 'node:path';
import type {
  ApprovalRequest,
  Breadth,
  Command,
  CommandPart,
  Rule,
  Verdict,
  WordsPattern,
} from '@codelab/protocol';
import { openExecution, openName } from './changed-body.ts';
import {
  allowedBefore,
  anchored,
  heldBy,
  isGranting,
  isRepeatable,
  proposeRule,
  rememberedId,
  wordByWord,
} from './propose-rule.ts';

type RememberableCall = Pick<ApprovalRequest, 'tool' | 'kind' | 'plan' | 'args'> & {
  verdict: Pick<Verdict, 'parts'>;
};

/** The rule of this breadth; undefined when this kind of call has none, or none wider than a narrower breadth. */
export function proposeBreadth(breadth: Breadth, call: RememberableCall): Rule | undefined {
  if (call.plan.question !== undefined) return undefined;
  switch (breadth) {
    case 'exact':
      return proposeRule('allow', call);
    case 'program':
      return call.plan.command && anyArguments(call, call.plan.command);
    case 'file':
    case 'folder':
    case 'all':
      return ofEdits(breadth, call);
  }
}

/** The breadths that a person can choose, narrowest first. */
export function proposeBreadths(call: RememberableCall): { breadth: Breadth; rule: Rule }[] {
  const names: Breadth[] = isEdit(call) ? ['file', 'folder', 'all'] : ['exact', 'program'];
  return names.flatMap((breadth) => {
    const rule = proposeBreadth(breadth, call);
    return rule === undefined ? [] : [{ breadth, rule }];
  });
}

const editTools = [
  'write_file',
  'edit_file',
  'multi_edit',
  'notebook_edit',
  'apply_patch',
  'create_directory',
];

/** A change to files of the workspace that deletes none. */
function isEdit({ tool, kind, plan }: RememberableCall): boolean {
  const isOwn = editTools.includes(tool) || tool === 'run_command';
  const changes = plan.touches.filter(({ access }) => access !== 'read');
  const isKept = changes.length > 0 && changes.every(({ access }) => access !== 'delete');
  return isOwn && kind !== 'execute' && plan.command === undefined && isKept;
}

function ofEdits(breadth: 'file' | 'folder' | 'all', call: RememberableCall): Rule | undefined {
  if (!isEdit(call)) return undefined;
  const path = [...new Set(call.plan.touches.map((touch) => reach(breadth, touch.path)))];
  return {
    id: rememberedId(['allow', 'edits', path]),
    effect: 'allow',
    tool: [...editTools, 'run_command'],
    kind: 'edit',
    reason: allowedBefore,
    path,
    access: ['read', 'create', 'write'],
  };
}

function reach(breadth: 'file' | 'folder' | 'all', path: string): string {
  if (breadth === 'file') return anchored(path);
  const folder = posix.dirname(path);
  // For a file at the root, a rule about its folder covers the files at the root, not the whole workspace.
  if (breadth === 'folder') return folder === '.' ? './*' : `${anchored(folder).replace(/^\.\//, '')}/**`;
  return '**/*';
}

/**
 * A rule for each part that needs approval: by program and subcommand where the arguments are known to be harmless, otherwise by its words.
 */
function anyArguments(
  { tool, verdict }: RememberableCall,
  { parts, confinement }: Command,
): Rule | undefined {
  if (isGranting(confinement) || !parts.every(isRepeatable)) return undefined;
  const condition = heldBy(confinement);
  const askedParts = parts.filter((_part, at) => verdict.parts[at]?.verdict !== 'allow');
  if (
    askedParts.some(
      ({ isDynamic, program, cwd }) => cwd === undefined || (isDynamic && program === undefined),
    )
  )
    return undefined;
  const covered = askedParts.flatMap(withLesser);
  const patterns = covered.map(openPattern);
  if (!patterns.some(({ more }) => more)) return undefined;
  const words = patterns.filter(
    (pattern, at) => patterns.findIndex((other) => isSame(pattern, other)) === at,
  );
  const prints = covered.flatMap((part) => printsOf(part, condition.sandboxed === true));
  const distinct = prints.filter(
    (print, at) => prints.findIndex(({ command }) => command === print.command) === at,
  );
  return {
    id: rememberedId(['allow', tool, words, condition]),
    effect: 'allow',
    tool,
    reason: allowedBefore,
    words,
    ...condition,
    prints: distinct,
  };
}

// Dropping these trailing options makes the program do less than was approved.
const furthering = /^(--(fix|write|amend|allow-empty|autocorrect|auto-correct)|-[wA])$/;

/** The part, and the same part without options that make it do more. */
function withLesser(part: CommandPart): CommandPart[] {
  const { program = [] } = part;
  const end = program.findLastIndex((word) => !furthering.test(word)) + 1;
  return end < program.length ? [part, { ...part, program: program.slice(0, end) }] : [part];
}

function openPattern(part: CommandPart): WordsPattern {
  const { program, cwd } = part;
  return program === undefined
    ? wordByWord(part)
    : { words: program, more: true, ...(cwd !== undefined && { cwd }) };
}

function isSame(pattern: WordsPattern, other: WordsPattern): boolean {
  return JSON.stringify(pattern) === JSON.stringify(other);
}

function printsOf(part: CommandPart, isHeld: boolean): NonNullable<Rule['prints']> {
  const execution = part.program === undefined ? part.execution : openExecution(part, isHeld);
  if (execution === undefined) return [];
  const { files, runs } = execution;
  return [{ command: part.program === undefined ? part.words.join(' ') : openName(part), files, runs }];
}
