import { expect, test } from 'vitest';
import { usageMeter } from './usage-meter.ts';

test('counts are found wherever the bytes are cut', () => {
  const text =
    'data: {"usage":null}\n\ndata: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n';
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    const meter = usageMeter();
    meter.push(bytes.subarray(0, at));
    meter.push(bytes.subarray(at));
    expect(meter.counts()).toEqual({ inputTokens: 7, outputTokens: 3 });
  }
  expect(usageMeter().counts()).toBeUndefined();
});
