// The answer to "would this be accepted?", with the plugin's own names for what is wrong.
import { type ErrorCode, pluginErrorName, ToolError } from '@codelab/protocol';

export type Fault = { code: string; message: string; details?: Record<string, unknown> };
export type Validation = { valid: true } | { valid: false; error: Fault };

export async function validation(check: () => unknown): Promise<Validation> {
  try {
    await check();
    return { valid: true };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { valid: false, error: faultOf(error) };
  }
}

export function faultOf({ code, message, details }: ToolError): Fault {
  const name = pluginErrorName(code satisfies ErrorCode, details?.reason);
  return details === undefined ? { code: name, message } : { code: name, message, details };
}
