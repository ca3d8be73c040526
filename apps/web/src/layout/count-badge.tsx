// The number a view wants seen beside its name.
import { cx } from '../ui/cx.ts';
import type { View } from '../view.ts';

export function CountBadge({ view, isCorner = false }: { view: View; isCorner?: boolean }) {
  return view.useCount === undefined ? null : <Count useCount={view.useCount} isCorner={isCorner} />;
}

function Count({ useCount, isCorner }: { useCount(): number; isCorner: boolean }) {
  const count = useCount();
  if (count === 0) return null;
  const shown = count > 99 ? '99+' : String(count);
  return (
    // On an icon it is a picture: as text it would have to be part of the button's name.
    <span
      aria-hidden={isCorner || undefined}
      data-count={shown}
      className={cx(
        'text-center text-[0.625rem] leading-4 font-semibold',
        isCorner ? 'min-w-4 rounded-full bg-accent px-1 text-on-accent' : 'text-accent',
        isCorner && 'absolute -top-1 -right-0.5 ring-2 ring-canvas before:content-[attr(data-count)]',
      )}
    >
      {!isCorner && shown}
    </span>
  );
}
