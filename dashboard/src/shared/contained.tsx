import { Component, type ReactNode } from 'react';
import { Notice } from './notice.js';

interface ContainedProps {
  /** The content, as in "Could not show the chart". */
  readonly what: string;
  readonly children: ReactNode;
}

/** Confines an error in its content, or a file that could not be fetched, so that the rest of the page stays. */
export class Contained extends Component<ContainedProps, { readonly reason?: string }> {
  override state: { readonly reason?: string } = {};

  static getDerivedStateFromError(error: unknown): { readonly reason: string } {
    return { reason: error instanceof Error ? error.message : String(error) };
  }

  override render(): ReactNode {
    const { what, children } = this.props;
    const { reason } = this.state;
    if (reason === undefined) return children;
    return (
      <Notice kind="error" title={`Could not show ${what}`}>
        <p>{reason}</p>
        <p>Load the page again. Where that does not help, another browser may.</p>
      </Notice>
    );
  }
}
