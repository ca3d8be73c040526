// Finds what a server would refuse anyway, before a human is asked: fields that are missing, and fields it does not know. The
// rest of a stranger's schema is left to the stranger: its patterns could keep us busy for ever.
import { ToolError } from '@codelab/protocol';

export function checkRequired(
  tool: string,
  schema: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((field) => typeof field === 'string' && !Object.hasOwn(args, field));
  if (missing !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${tool}: \`${missing}\` is missing.`, { field: missing });
  const { properties, additionalProperties, patternProperties } = schema;
  if (additionalProperties !== false || patternProperties !== undefined) return;
  const known = typeof properties === 'object' && properties !== null ? properties : {};
  const unknown = Object.keys(args).find((field) => !Object.hasOwn(known, field));
  if (unknown !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${tool} does not take \`${unknown.slice(0, 200)}\`.`, {
      field: unknown,
    });
}
