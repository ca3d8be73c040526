// The seconds until something closes, counted down while it is looked at.
import { useEffect, useState } from 'react';

export function useSecondsLeft(deadline: number): number {
  const [left, setLeft] = useState(() => secondsUntil(deadline));
  useEffect(() => {
    const look = (): void => setLeft(secondsUntil(deadline));
    look();
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [deadline]);
  return left;
}

function secondsUntil(deadline: number): number {
  return Math.max(0, Math.ceil((deadline - Date.now()) / 1000));
}
