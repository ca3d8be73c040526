// The model a turn is run with: the one that is named, else what the environment has.
import { chooseModel, type Model, openModel } from '@codelab/agent';

export async function openChosenModel(name?: string): Promise<Model> {
  const { env } = process;
  return await openModel(name ?? chooseModel({ env }) ?? 'demo', { env });
}
