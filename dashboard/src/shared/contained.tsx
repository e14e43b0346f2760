import { Component, type ReactNode } from 'react';
import { Button } from './button.js';
import { Notice } from './notice.js';

interface ContainedProps {
  /** The content, as in "Could not show the chart". */
  readonly what: string;
  /** The address of the content: at another address it is tried again. */
  readonly at?: string;
  readonly children: ReactNode;
}

interface ContainedState {
  /** Undefined if nothing went wrong. */
  readonly reason: string | undefined;
}

/** Contains an error in its content, or a failure to fetch its file, so that the rest of the page stays. */
export class Contained extends Component<ContainedProps, ContainedState> {
  override state: ContainedState = { reason: undefined };

  static getDerivedStateFromError(error: unknown): ContainedState {
    return { reason: error instanceof Error ? error.message : String(error) };
  }

  override componentDidUpdate(before: ContainedProps): void {
    if (before.at !== this.props.at && this.state.reason !== undefined) this.setState({ reason: undefined });
  }

  override render(): ReactNode {
    const { what, children } = this.props;
    const { reason } = this.state;
    if (reason === undefined) return children;
    return (
      <Notice kind="error" title={`Could not show ${what}`}>
        <p>{reason}</p>
        <p>
          Telltale may have been updated since this page was opened: load it again. If that does not help, try
          another browser.
        </p>
        <div className="field">
          <Button onClick={() => location.reload()}>Load it again</Button>
        </div>
      </Notice>
    );
  }
}
