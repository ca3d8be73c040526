// An input line for a process. The rules judge the input like a call of the agent; a refusal is shown here and the text stays.
import { ApiError } from '@codelab/client';
import { CornerDownLeft } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../../api/api.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toastError } from '../../ui/toast.tsx';

export function ProcessInput({ id }: { id: string }) {
  const words = useViewText().processes;
  const [line, setLine] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [isSending, setIsSending] = useState(false);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (isSending) return;
    setIsSending(true);
    api.processes
      .input(id, `${line}\n`)
      .then(() => {
        setLine('');
        setProblem(undefined);
      })
      .catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'PERMISSION_DENIED')
          setProblem(`${words.refused} ${error.message}`);
        else toastError(error);
      })
      .finally(() => setIsSending(false));
  };
  return (
    <form onSubmit={send} className="flex shrink-0 items-start gap-2 border-t border-line p-2">
      <TextField
        label={words.input}
        isLabelHidden
        className="flex-1"
        placeholder={words.inputHint}
        title={words.sendsEnter}
        value={line}
        problem={problem}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={({ target }) => setLine(target.value)}
      />
      <Button type="submit" disabled={isSending} icon={<CornerDownLeft aria-hidden className="size-3.5" />}>
        {words.send}
      </Button>
    </form>
  );
}
