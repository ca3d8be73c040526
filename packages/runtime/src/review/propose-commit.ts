// Proposes a commit of a review: the files that can be committed, and a message made from the user's texts of the turns that changed
// something.
import type { SessionLog } from '@codelab/protocol';
import { readStatus } from '../git/read/read-status.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import type { ReviewedChanges, ReviewedFile } from './review-files.ts';

type Proposal = { message: string; paths: string[] };

const mostPaths = 1000;
const mostChars = 72;
/** A message that a review generated does not name the goal, so the user's request before it is taken. */
const reviewOpening = 'I reviewed your changes';

/** Null where there is no repository, and where git sees no change in the reviewed files. */
export async function proposeCommit(
  { workspace, signal, log, session }: PlanContext,
  { files, turn, turns }: Pick<ReviewedChanges, 'files' | 'turn' | 'turns'>,
): Promise<Proposal | null> {
  if (files.length === 0) return null;
  const changed = await changedInGit(files.slice(0, mostPaths), { workspace, signal });
  // A folder that was moved is committed as well, but it is no file.
  const changedFiles = changed.filter(({ folder }) => folder !== true);
  const paths = (changedFiles.length > 0 ? changedFiles : changed).map(({ path }) => path);
  if (paths.length === 0) return null;
  const texts = await textsOf(
    log,
    session,
    turn === null ? turns : turns.filter((earlier) => earlier <= turn),
  );
  const userTexts = texts.filter((text) => !text.startsWith(reviewOpening));
  return { message: commitMessage(turn === null ? userTexts : userTexts.slice(-1)), paths };
}

type NamedFile = Pick<ReviewedFile, 'path' | 'from' | 'folder'>;

async function changedInGit<F extends NamedFile>(
  files: readonly F[],
  { workspace, signal }: Pick<PlanContext, 'workspace' | 'signal'>,
): Promise<F[]> {
  const paths = files.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  try {
    const { entries } = await readStatus({ workspace, signal, paths: [...paths], untracked: 'all' });
    const changed = entries.flatMap(({ path, renamed_from: from }) =>
      from === undefined ? [path] : [path, from],
    );
    const changedPaths = new Set(changed);
    const isChanged = (path: string | undefined): boolean =>
      path !== undefined &&
      (changedPaths.has(path) || changed.some((changedPath) => changedPath.startsWith(`${path}/`)));
    return files.filter(({ path, from }) => isChanged(path) || isChanged(from));
  } catch {
    // No repository, or one that git can't read: there is nothing to propose.
    return [];
  }
}

/** The user's message at the start of each turn. */
async function textsOf(log: SessionLog, session: string, turns: readonly number[]): Promise<string[]> {
  const texts = new Map<number, string>();
  for (let since = 0; ; ) {
    const page = await log.read(session, { since, limit: 500, maxChars: 4_000_000 });
    for (const { body } of page)
      if (body.type === 'turn.started' && body.agent === undefined) texts.set(body.turn, body.text);
    const last = page.at(-1);
    if (last === undefined) break;
    since = last.seq;
  }
  return turns.flatMap((turn) => texts.get(turn) ?? []);
}

/** The first turn in one line; of several turns, one line each below it. */
export function commitMessage(texts: readonly string[]): string {
  const subjects = [...new Set(texts.map(subjectOf).filter((subject) => subject !== ''))];
  const [first = 'Update files', ...otherSubjects] = subjects;
  return otherSubjects.length === 0
    ? first
    : `${first}\n\n${subjects.map((subject) => `- ${subject}`).join('\n')}`;
}

const courtesy =
  /^(?:(?:please|pls|kindly|hi|hello|hey|ok|now|then|so)[\s,!:]+|(?:can|could|would|will) you (?:please )?)+/i;

function subjectOf(text: string): string {
  const line = text.split('\n').find((candidate) => /[\p{L}\p{N}]/u.test(candidate)) ?? '';
  const plainLine = line
    .replace(/^[\s#>*\-–•]+/u, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(courtesy, '');
  const sentence =
    plainLine.length > mostChars
      ? (/^.{15,}?[.!?。！？](?=\s|$)/u.exec(plainLine)?.[0] ?? plainLine)
      : plainLine;
  const subject = shorten(sentence.replace(/[\s.!?。！？:;,]+$/u, ''));
  return subject.charAt(0).toUpperCase() + subject.slice(1);
}

function shorten(text: string): string {
  if (text.length <= mostChars) return text;
  const cut = text.slice(0, mostChars + 1);
  const end = cut.lastIndexOf(' ');
  return (end > mostChars / 2 ? cut.slice(0, end) : [...cut].slice(0, -1).join('')).replace(/[\s,;:]+$/u, '');
}
