// How a dialect writes paths, and the core's way of writing the same place.

export type PathSpelling = {
  toCore(path: string): string;
  /** A core path in the manner of a path the caller wrote. */
  like(core: string, asked: string): string;
};
