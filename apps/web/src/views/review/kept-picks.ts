// Picks of reviews that are not sent yet, by approval: stored in this browser, so that a reload loses none. Picks for another plan than the
// pending one do not count.
import type { ApprovalRequest, Review, ReviewItem } from '@codelab/protocol';
import { startReview } from '@codelab/protocol';
import { remembered } from '../../remembered.ts';

/** `left`: keys of items that are not taken; `written`: the items of hunks that were split or edited. */
type Picks = { binding: string; left: readonly string[]; written: readonly ReviewItem[] };

const mostKept = 12;
const storedPicks = remembered<Record<string, Picks>>('review-picks', {});

/** The review of an approval as it was left; where nobody has begun it, everything is taken. */
export function readPicks({ id, binding, plan }: ApprovalRequest): Review {
  const fresh = startReview(plan.diff?.text ?? '');
  const all = storedPicks.read();
  const picks = Object.hasOwn(all, id) ? all[id] : undefined;
  return isPicks(picks) && picks.binding === binding ? withPicks(fresh, picks) : fresh;
}

export function keepPicks({ id, binding }: ApprovalRequest, { items }: Review): void {
  const { [id]: _old, ...others } = storedPicks.read();
  const numbers = new Set(
    items.filter(({ isPart, isEdited }) => isPart || isEdited).map(({ number }) => number),
  );
  const picks: Picks = {
    binding,
    left: items.filter(({ isTaken }) => !isTaken).map(({ key }) => key),
    written: items.filter(({ number }) => numbers.has(number)),
  };
  storedPicks.write(Object.fromEntries([...Object.entries(others).slice(1 - mostKept), [id, picks]]));
}

function withPicks(review: Review, { left, written }: Picks): Review {
  const notTaken = new Set(left);
  const items = review.items.flatMap((item) => {
    const parts = written.filter(({ number }) => number === item.number);
    return parts.length === 0 ? [item] : parts;
  });
  return { ...review, items: items.map((item) => ({ ...item, isTaken: !notTaken.has(item.key) })) };
}

// Another version, or somebody by hand, may have stored something else.
function isPicks(value: unknown): value is Picks {
  if (typeof value !== 'object' || value === null) return false;
  const { binding, left, written } = value as Record<string, unknown>;
  return typeof binding === 'string' && Array.isArray(left) && Array.isArray(written);
}
