// One hunk of a diff at a time, as `git add -p` does. Returns the review with the taken hunks; undefined when the user leaves with Escape.
import {
  canSplitItem,
  editItem,
  type Review,
  type ReviewItem,
  setTaken,
  splitItem,
  writeDiff,
} from '@codelab/protocol';
import { type ApprovalPrompt, askRetry } from '../approval/approval-prompt.ts';
import { diffText } from '../approval/diff-text.ts';
import { askKey } from '../terminal/ask-line.ts';
import { showPages } from '../terminal/pager.ts';
import { editHunk } from './edit-hunk.ts';

const meanings: Record<string, string> = {
  y: 'take this hunk',
  n: 'leave it',
  a: 'take it and all later ones',
  d: 'leave it and all later ones',
  s: 'split it into smaller ones',
  e: 'edit it by hand, then take it',
  q: 'quit: nothing more is taken',
  '?': 'this help',
};

/** The review must start with no hunk taken. */
export async function reviewHunks(
  prompt: ApprovalPrompt,
  initialReview: Review,
): Promise<Review | undefined> {
  let review = initialReview;
  for (let at = 0; at < review.items.length; ) {
    const { items } = review;
    const item = items[at] as ReviewItem;
    const keys = keysFor(item);
    const key = await ask(prompt, review, { item, keys, place: `(${at + 1}/${items.length})` });
    switch (key) {
      case undefined:
        return undefined;
      case 'a':
        return takeFrom(review, at);
      case 'd':
      case 'q':
        return review;
      case 's':
        review = splitItem(review, item.key);
        continue;
      case '?':
        explain(prompt, keys);
        continue;
      case 'e': {
        const hunk = item.hunk && (await editHunk(prompt.terminal, item.hunk, () => askRetry(prompt)));
        if (hunk === undefined) continue;
        review = editItem(review, item.key, hunk);
        break;
      }
      case 'y':
        review = setTaken(review, true, (candidate) => candidate === item);
    }
    at++;
  }
  return review;
}

function takeFrom(review: Review, at: number): Review {
  const later = new Set(review.items.slice(at));
  return setTaken(review, true, (item) => later.has(item));
}

function keysFor(item: ReviewItem): string[] {
  const isOffered = (key: string): boolean => {
    if (key === 's') return canSplitItem(item);
    return key !== 'e' || item.hunk !== undefined;
  };
  return Object.keys(meanings).filter(isOffered);
}

type Question = { item: ReviewItem; keys: readonly string[]; place: string };

async function ask(
  { terminal, signal }: ApprovalPrompt,
  { files }: Review,
  { item, keys, place }: Question,
): Promise<string | undefined> {
  const { paint } = terminal;
  const { hunk, file } = item;
  const text = writeDiff([{ header: files[file]?.header ?? [], hunks: hunk === undefined ? [] : [hunk] }]);
  const diff = { text, additions: 0, deletions: 0, hunks: 1, truncated: false };
  const lines = diffText(diff, { columns: terminal.size().columns - 3, paint });
  await showPages(terminal, { lines: ['', ...lines.map((line) => `  ${line}`)], reserve: 2, signal });
  const unit = hunk === undefined ? 'change' : 'hunk';
  const prompt = paint(['bold', 'blue'], `${place} Take this ${unit} [${keys.join(',')}]? `);
  return await askKey(terminal, { prompt, keys, signal });
}

function explain({ terminal: { output, paint } }: ApprovalPrompt, keys: readonly string[]): void {
  const lines = keys.map((key) => `${key} - ${meanings[key]}`);
  output.write(paint('red', `${[...lines, 'Esc - back, nothing is decided'].join('\n')}\n`));
}
