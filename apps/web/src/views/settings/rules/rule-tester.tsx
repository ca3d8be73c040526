// Tries a command line or a call against the rules. Nothing runs.
import type { PolicyVerdict } from '@codelab/api';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { api } from '../../../api/api.ts';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Select, TextField } from '../../../ui/text-field.tsx';
import { VerdictTree } from './verdict-tree.tsx';

type Kind = 'command' | 'tool';

export function RuleTester({ session }: { session: string }) {
  const words = useText().settings;
  const [kind, setKind] = useState<Kind>('command');
  const [command, setCommand] = useState('git log | head && rm -rf build');
  const [tool, setTool] = useState('write_file');
  const [args, setArgs] = useState('{ "path": "src/a.js", "content": "" }');
  const [judged, setJudged] = useState<PolicyVerdict | undefined>();
  const [problem, setProblem] = useState<string | undefined>();
  const check = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const given = parseTypedArguments(args);
    setJudged(undefined);
    if (kind === 'tool' && given === undefined) return setProblem(words.notJson);
    setProblem(undefined);
    try {
      const asked = kind === 'command' ? { command } : { tool, args: given ?? {} };
      setJudged(await api.policy.check({ ...asked, ...(session !== '' && { session_id: session }) }));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form
      aria-label={words.tester}
      onSubmit={(event) => void check(event)}
      className="flex flex-col gap-3 rounded-large border border-line p-3"
    >
      <div>
        <h3 className="font-semibold">{words.tester}</h3>
        <p className="text-small text-muted">{words.testerHint}</p>
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Select
          label={words.testWhat}
          value={kind}
          onChange={(value) => {
            setKind(value as Kind);
            setProblem(undefined);
          }}
          options={[
            { value: 'command', label: words.testCommand },
            { value: 'tool', label: words.testTool },
          ]}
        />
        {kind === 'command' ? (
          <TextField
            label={words.commandLine}
            value={command}
            spellCheck={false}
            onChange={({ target }) => setCommand(target.value)}
            className="min-w-52 flex-1"
          />
        ) : (
          <>
            <ToolPicker value={tool} onChange={setTool} />
            <TextField
              label={words.arguments}
              value={args}
              spellCheck={false}
              onChange={({ target }) => setArgs(target.value)}
              className="min-w-52 flex-1"
            />
          </>
        )}
        <Button type="submit" tone="strong">
          {words.check}
        </Button>
      </div>
      <div role="status">
        {problem !== undefined && <p className="wrap-anywhere text-bad">{problem}</p>}
        {judged !== undefined && <VerdictTree judged={judged} />}
      </div>
    </form>
  );
}

// Arguments of a call as somebody typed them. Undefined when they are not one JSON object.
export function parseTypedArguments(text: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(text.trim() === '' ? '{}' : text);
    const isObject = typeof read === 'object' && read !== null && !Array.isArray(read);
    return isObject ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

// The name of a tool, with those there are to choose from.
function ToolPicker({ value, onChange }: { value: string; onChange(tool: string): void }) {
  const words = useText().settings;
  const list = useId();
  const [names, setNames] = useState<readonly string[]>([]);
  useEffect(() => {
    let isGone = false;
    // Without the list a name can still be typed.
    api.catalogue.tools().then(
      ({ tools }) => !isGone && setNames(tools.map(({ name }) => name)),
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, []);
  return (
    <>
      <TextField
        label={words.tool}
        value={value}
        list={list}
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        className="w-44"
      />
      <datalist id={list}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
