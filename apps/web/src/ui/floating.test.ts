import { describe, expect, test } from 'vitest';
import { placeBeside } from './floating.tsx';

const screen = { width: 400, height: 300 };
const anchor = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 20 });

describe('what floats beside a control', () => {
  test('is below it, at its edge or its middle', () => {
    const size = { width: 100, height: 50 };
    const at = anchor(150, 100);
    expect(placeBeside(at, size, screen, { align: 'start', gap: 4 })).toEqual({
      left: 150,
      top: 124,
      maxHeight: 168,
    });
    expect(placeBeside(at, size, screen, { align: 'end', gap: 4 })).toEqual({
      left: 90,
      top: 124,
      maxHeight: 168,
    });
    expect(placeBeside(at, size, screen, { align: 'center', gap: 4 })).toEqual({
      left: 120,
      top: 124,
      maxHeight: 168,
    });
  });

  test('is above it where it does not fit below and there is more room', () => {
    const place = { align: 'start', gap: 4 } as const;
    expect(placeBeside(anchor(150, 200), { width: 100, height: 90 }, screen, place)).toEqual({
      left: 150,
      top: 106,
      maxHeight: 188,
    });
    expect(placeBeside(anchor(150, 200), { width: 100, height: 500 }, screen, place)).toEqual({
      left: 150,
      top: 8,
      maxHeight: 188,
    });
  });

  test('never leaves the window', () => {
    const size = { width: 100, height: 50 };
    const place = { align: 'start', gap: 4 } as const;
    expect(placeBeside(anchor(390, 10), size, screen, place).left).toBe(292);
    expect(placeBeside(anchor(-30, 10), size, screen, place).left).toBe(8);
    expect(placeBeside(anchor(10, 10), { width: 900, height: 50 }, screen, place).left).toBe(8);
  });
});
