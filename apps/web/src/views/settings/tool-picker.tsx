// The name of a tool, with those there are to choose from.
import { useEffect, useId, useState } from 'react';
import { api } from '../../api/api.ts';
import { useText } from '../../text/use-text.ts';
import { TextField } from '../../ui/text-field.tsx';

export function ToolPicker({ value, onChange }: { value: string; onChange(tool: string): void }) {
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
