// A formula in TeX. The typesetter is loaded with the first one; until then, and for invalid TeX, the source is shown.
import { memo, useEffect, useRef, useState } from 'react';

type Props = { source: string; isBlock: boolean };

export const Formula = memo(function Formula({ source, isBlock }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  const [isSet, setIsSet] = useState(false);
  useEffect(() => {
    let isWanted = true;
    setIsSet(false);
    void import('./set-math.ts')
      .then(({ setMath }) => {
        if (isWanted && place.current !== null) setIsSet(setMath(place.current, source, isBlock));
      })
      // A formula that can't be set is read as it was written.
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [source, isBlock]);
  const look = isBlock ? 'block overflow-x-auto py-1 text-center' : undefined;
  return (
    <span className={look} {...(isBlock && { tabIndex: 0 })}>
      <span ref={place} />
      {!isSet && <code className="font-mono text-[0.92em]">{source}</code>}
    </span>
  );
});
