// The editor itself on the page. It brings its own keyboard, search and undo.
import { useEffect, useRef } from 'react';
import { mountBuffer } from './buffers.ts';

export function CodeArea({ path }: { path: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return;
    return mountBuffer(path, box.current);
  }, [path]);
  return <div ref={box} className="min-h-0 flex-1 overflow-hidden" />;
}
