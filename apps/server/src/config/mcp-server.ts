// One MCP server in the configuration: a program to start, or an address to send to. `${NAME}` in a secret is the user's variable.
import * as z from 'zod/mini';

export const McpServerName = () => z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/));

// Our own mark on the process is a CODELAB_ variable, and must stay ours.
const VariableName = () => z.string().check(z.regex(/^(?!CODELAB_)[A-Za-z_][A-Za-z0-9_]{0,127}$/));
const HeaderName = () => z.string().check(z.regex(/^[A-Za-z0-9-]{1,128}$/));

const Program = () =>
  z.strictObject({
    command: z.string().check(z.minLength(1)),
    args: z.optional(z.array(z.string())),
    env: z.optional(z.record(VariableName(), z.string())),
    cwd: z.optional(z.string().check(z.minLength(1))),
  });

const Address = () =>
  z.strictObject({
    url: z.string().check(z.regex(/^https?:\/\/[^\s/@?#]+([/?#]\S*)?$/)),
    headers: z.optional(z.record(HeaderName(), z.string())),
  });

export const McpServer = () => z.union([Program(), Address()]);
export type McpServer = z.infer<ReturnType<typeof McpServer>>;
export type McpServers = Readonly<Record<string, McpServer>>;
