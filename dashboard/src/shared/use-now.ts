import { useEffect, useState } from 'react';

/** The time in milliseconds, updated every `everySeconds` seconds while the tab is visible. */
export function useNow(everySeconds: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setNow(Date.now());
    }, everySeconds * 1_000);
    return () => clearInterval(timer);
  }, [everySeconds]);
  return now;
}

/** When the component was first shown. */
export function useBegin(): number {
  const [began] = useState(() => Date.now());
  return began;
}
