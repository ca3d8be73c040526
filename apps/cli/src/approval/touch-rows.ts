// Where a call goes: the real place first, then how the caller spelled it when that differs.
import { type Touch, visibleLine } from '@codelab/protocol';

type Row = readonly [label: string, text: string];

export function touchRows(touches: readonly Touch[]): Row[] {
  const [first] = touches;
  if (first === undefined) return [];
  // What goes with its folder is counted, not listed.
  const isBelow = (touch: Touch): boolean =>
    touch.path.startsWith(`${first.path}/`) && touch.access === first.access && touch.asked === touch.path;
  const below = touches.filter(isBelow).length;
  return touches
    .filter((touch) => !isBelow(touch))
    .flatMap((touch): Row[] => {
      const and = touch === first && below > 0 ? ` and all ${below} places below it` : '';
      const place: Row = [verbs[touch.access], `${visibleLine(touch.path)}${and}`];
      if (touch.asked === touch.path) return [place];
      return [place, ['', `asked for as ${visibleLine(JSON.stringify(touch.asked))}`]];
    });
}

const verbs: Record<Touch['access'], string> = {
  read: 'reads',
  create: 'creates',
  write: 'writes',
  delete: 'removes',
};
