import { createElement, useEffect, useState, type ComponentType } from 'react';
import { Notice } from './notice.js';

/**
 * A component in a separate file, which is fetched when it is first shown. Not React's `lazy`: once that
 * shows a fallback, React does not replace it for 300 ms. An error while fetching is thrown, for a
 * `Contained` around it.
 */
export function fetched<Props extends object>(
  what: string,
  fetch: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Fetched(props: Props) {
    const [component, setComponent] = useState(() => known);
    const [failure, setFailure] = useState<Error>();
    useEffect(() => {
      if (component !== undefined) return;
      fetch().then(
        (found) => {
          known = found;
          setComponent(() => found);
        },
        (error: unknown) => setFailure(error instanceof Error ? error : new Error(String(error))),
      );
    }, [component]);
    if (failure !== undefined) throw failure;
    return component === undefined ? (
      <Notice kind="loading" title={`Loading ${what}…`} />
    ) : (
      createElement(component, props)
    );
  };
}
