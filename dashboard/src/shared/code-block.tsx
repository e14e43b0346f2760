interface CodeBlockProps {
  /** What the text is, for people who do not see it. */
  readonly label: string;
  readonly children: string;
  readonly className?: string | undefined;
}

/** A text as it is typed. It can be scrolled by the keyboard where it is wider than the window. */
export function CodeBlock({ label, children, className }: CodeBlockProps) {
  return (
    <pre role="group" aria-label={label} tabIndex={0} className={className}>
      {children}
    </pre>
  );
}
