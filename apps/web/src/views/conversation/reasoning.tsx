// What a model thought on the way, folded away.
import { Markdown } from '../../markdown/markdown.tsx';
import { useText } from '../../text/use-text.ts';

export function Reasoning({ text, isLive = false }: { text: string; isLive?: boolean }) {
  const words = useText().conversation;
  return (
    <details className="text-muted" open={isLive}>
      <summary className="inline-block rounded-small text-small font-medium select-none hover:text-text">
        {words.reasoning}
      </summary>
      <div className="mt-1 border-l-2 border-line pl-3">
        <Markdown text={text} />
      </div>
    </details>
  );
}
