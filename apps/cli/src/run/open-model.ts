// The model a turn is run with: the one that was named, else the profile's, else what the environment has.
import { chooseModel, type Model, openModel } from '@codelab/agent';

export async function openChosenModel(...wanted: (string | undefined)[]): Promise<Model> {
  const { env } = process;
  return await openModel(wanted.find((name) => name !== undefined) ?? chooseModel(env), { env });
}
