// A schema that is made when it is first asked for: making all of them would cost a short command more than its work.
export function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
