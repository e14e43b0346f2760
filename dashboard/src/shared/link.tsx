import type { AnchorHTMLAttributes } from 'react';
import { Link as Anchor } from 'wouter';
import { useKeptHref } from './use-address.js';

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly href: string;
}

/** A link within the dashboard that keeps the range and the zone. */
export function Link({ href, ...others }: LinkProps) {
  const kept = useKeptHref();
  return <Anchor {...others} href={kept(href)} />;
}
