// Something that happened beside the talk, in one quiet line.
import { honestText } from '../../markdown/honest-text.ts';

export function NoteLine({ children }: { children: string }) {
  return (
    <p className="flex items-center gap-3 text-small text-muted before:h-px before:w-4 before:bg-line">
      <span className="min-w-0 wrap-anywhere">{honestText(children)}</span>
    </p>
  );
}
