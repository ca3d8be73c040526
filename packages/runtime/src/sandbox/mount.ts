// One place as a command in the sandbox sees it. Everything not named is there, read-only.

/**
 * `hidden`: empty; `scratch`: empty and writable; `tmp`: writable and the workspace's own; `shown`: read-only again inside something
 * hidden; `kept`: read-only inside something writable; `devices` and `processes`: only the harmless ones, only its own.
 */
export type Mount = {
  path: string;
  as: 'devices' | 'processes' | 'hidden' | 'scratch' | 'tmp' | 'shown' | 'writable' | 'kept';
};

/** Whether nothing of what stands at such a place is left. */
export function isReplaced(as: Mount['as'] | undefined): boolean {
  return as !== undefined && as !== 'shown' && as !== 'writable' && as !== 'kept';
}
