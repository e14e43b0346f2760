interface CodeBlockProps {
  /** What the text is, for people who can't see it. */
  readonly label: string;
  readonly children: string;
  readonly className?: string | undefined;
}

/** Literal text. If it is wider than the window, it can be scrolled with the keyboard. */
export function CodeBlock({ label, children, className }: CodeBlockProps) {
  return (
    <pre role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </pre>
  );
}
