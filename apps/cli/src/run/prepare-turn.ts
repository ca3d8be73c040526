// The model of a turn: the named one, else the chosen one. A user at a terminal who has chosen none is asked once; elsewhere the default
// model of a provider with a key is used, and without a key it is wrong usage.
import { type Model, noModelChosen, openModel } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import { type LoadedConfig, loadModelConfig, readModelChoice } from '@codelab/server';
import { UsageError } from '../command-line/define-command.ts';
import { openTty } from '../terminal/open-terminal.ts';

/** `effort` overrides every setting. */
type Places = { home: string; root: string; effort?: string | undefined };

export function modelOpener(places: Places, signal = new AbortController().signal) {
  return async (name?: string): Promise<Model> => {
    const env = places.effort === undefined ? process.env : { ...process.env, CODELAB_EFFORT: places.effort };
    const read = () => readModelChoice(places.home, loadModelConfig(places), env);
    const { named, implied } = read();
    const model = name ?? named ?? (await firstChoice(places, signal)) ?? implied;
    if (model === undefined) throw new UsageError(noModelChosen().message);
    return await openModel(model, read().sources).catch(refuseName);
  };
}

function refuseName(error: unknown): never {
  const isName = error instanceof ToolError && error.details?.field === 'model';
  throw isName ? new UsageError(error.message) : error;
}

async function firstChoice(places: Places, signal: AbortSignal): Promise<string | undefined> {
  using terminal = process.env.TERM === 'dumb' ? undefined : openTty({ isInsisted: false });
  if (terminal === undefined) return undefined;
  const { pickModel } = await import('../model/pick-model.ts');
  const title = 'Which model should CodeLab use? The choice is saved; `codelab model` changes it.';
  const model = await pickModel(terminal, places, { title, signal });
  if (model === undefined) throw new UsageError(noModelChosen().message);
  return model;
}

/** Warns about hooks of an untrusted workspace: they do not run. */
export function untrustedHooks({ untrustedHooks: count }: Pick<LoadedConfig, 'untrustedHooks'>): string[] {
  if (count === 0) return [];
  const are = count === 1 ? '1 hook of this workspace is' : `${count} hooks of this workspace are`;
  return [`${are} not run. Read .codelab/config.json, then trust it with \`codelab policy trust\`.`];
}

/** Tells each problem only once. */
export function tellOnce(tell: (text: string) => void): (texts: readonly string[]) => void {
  const written = new Set<string>();
  return (texts) => {
    for (const text of texts) {
      if (written.has(text)) continue;
      written.add(text);
      tell(text);
    }
  };
}
