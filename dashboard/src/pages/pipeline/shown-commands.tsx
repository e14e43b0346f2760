import { CopyButton } from '../../shared/copy-button.js';
import { letterCommands, type WhichLetters } from './letter-commands.js';
import styles from './shown-commands.module.css';
import { CodeBlock } from '../../shared/code-block.js';

/** The commands for dead letters, ready to run, each with a copy button. */
export function ShownCommands({ which }: { readonly which: WhichLetters }) {
  return (
    <details className={styles['commands']}>
      <summary>Commands</summary>
      {letterCommands(which).map(({ does, command }) => (
        <div key={does}>
          <CodeBlock label={does} className={styles['command']}>
            {command}
          </CodeBlock>
          <CopyButton label="Copy" about={`${does}: ${command}`} text={() => command} />
        </div>
      ))}
    </details>
  );
}
