// The profile that --profile names; one that does not exist is wrong usage, not a failed call.
import { ToolError } from '@codelab/protocol';
import { defaultProfile, type Profile } from '@codelab/runtime';
import { defaultHome, profileSource } from '@codelab/server';
import { realRoot } from './real-root.ts';
import { UsageError } from './usage-error.ts';

export async function chooseProfile(name = defaultProfile, workspace = '.'): Promise<readonly Profile[]> {
  // Which tools there are is the same whether the workspace is trusted or not.
  const source = profileSource({ home: defaultHome(), root: realRoot(workspace), isTrusted: false });
  try {
    return await source.find(name);
  } catch (error) {
    if (!(error instanceof ToolError && error.code === 'INVALID_ARGUMENTS')) throw error;
    const names = (await source.all()).map((one) => one.name);
    throw new UsageError(`--profile must be one of: ${names.join(', ')}.`);
  }
}
