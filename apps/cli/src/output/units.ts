// Sizes, durations and times as people read them.
// A number of bytes: `512 B`, `1.5 MB`.

export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1]}`;
}

// A duration: `0.4 s`, `12 s`, `1 min 5 s`, `2 h 3 min`.

export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60
    ? `${minutes} min ${seconds % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// Local times: `14:03:20`, or with the day `2026-11-15 14:03:20`.

export function timeOfDay(time: number): string {
  return dayTime(time).slice(11);
}

export function dayTime(time: number): string {
  const offset = new Date(time).getTimezoneOffset() * 60_000;
  return new Date(time - offset).toISOString().slice(0, 19).replace('T', ' ');
}

// A number with its noun: `1 file`, `2 files`.

export function countOf(count: number, singular: string, many = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : many}`;
}
