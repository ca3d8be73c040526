import { expect, test } from 'vitest';
import { addressOf } from './values.ts';

test.each([
  [{ type: 'tool_call', call_id: 'c', tool_name: 'fly', args: 7 }, 'c', 'fly'],
  [{ event_type: 'x', payload: { tool_id: 'c', tool_type: 'fly' } }, 'c', 'fly'],
  [{ id: 'c', name: 'fly' }, 'c', 'fly'],
  [{ call_id: 7, id: 'c' }, 'c', ''],
  [[], '', ''],
  [null, '', ''],
])('the sender of %j is answered', (wire, id, tool) => {
  expect(addressOf(wire)).toEqual({ id, wire: { tool, args: {} } });
});
