// The mark of a tab that holds something not saved.
import { useText } from '../text/use-text.ts';
import type { View } from '../view.ts';

export function DirtyDot({ view, param }: { view: View; param: string }) {
  return view.useIsDirty === undefined ? null : <Dot useIsDirty={view.useIsDirty} param={param} />;
}

function Dot({ useIsDirty, param }: { useIsDirty(param: string): boolean; param: string }) {
  const text = useText();
  const isDirty = useIsDirty(param);
  if (!isDirty) return null;
  return (
    <>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />
      <span className="sr-only">, {text.editor.unsaved}</span>
    </>
  );
}
