// Puts the user's own variables in the place of `${NAME}`, so that secrets need not stand in a file.
import { ToolError } from '@codelab/protocol';

export function fillVariables(
  server: string,
  values: Readonly<Record<string, string>> = {},
  env: NodeJS.ProcessEnv,
): Record<string, string> {
  const filled = Object.entries(values).map(([key, value]) => [
    key,
    fill(`The MCP server ${server}: \`${key}\``, value, env),
  ]);
  return Object.fromEntries(filled);
}

function fill(place: string, value: string, env: NodeJS.ProcessEnv): string {
  return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_all, name: string) => {
    const found = env[name];
    if (found !== undefined && found !== '') return found;
    throw new ToolError('INVALID_ARGUMENTS', `${place} needs the variable ${name}, which is not set.`, {
      variable: name,
    });
  });
}
