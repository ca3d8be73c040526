// What the person said, as it was typed.
import { Paperclip } from 'lucide-react';
import { honestText } from '../../markdown/honest-text.ts';
import { clockTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';

export function UserMessage({ text, files, time }: { text: string; files: readonly string[]; time: number }) {
  const words = useText().conversation;
  return (
    <article aria-label={words.you} className="flex flex-col items-end gap-1 pt-3">
      <div className="max-w-[85%] rounded-large rounded-br-small bg-accent-soft px-3.5 py-2 text-read whitespace-pre-wrap wrap-anywhere">
        {honestText(text)}
      </div>
      <div className="flex flex-wrap justify-end gap-1.5 text-tiny text-muted">
        {files.map((path) => (
          <Badge key={path} icon={<Paperclip aria-hidden className="size-3" />}>
            {honestText(path)}
          </Badge>
        ))}
        <time dateTime={new Date(time).toISOString()}>{clockTime(time)}</time>
      </div>
    </article>
  );
}
