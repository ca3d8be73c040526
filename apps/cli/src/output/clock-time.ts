// Local times as people read them: `14:03:20`, or with the day `2026-11-15 14:03:20`.

export function clockTime(time: number): string {
  return dayTime(time).slice(11);
}

export function dayTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 19).replace('T', ' ');
}
