import { Button } from '../shared/button.js';
import { DialogActions } from '../shared/dialog-actions.js';
import { Dialog } from '../shared/dialog.js';
import { areas } from './areas.js';
import styles from './keyboard-help.module.css';

const keys: readonly (readonly [string, string])[] = [
  ...areas.map(({ key, name }) => [`g ${key}`, name] as const),
  ['/', 'the first filter of the page, or the search of the bar'],
  ['j k', 'the next and the previous row'],
  ['Enter', 'opens the row'],
  ['o', 'also opens the row'],
  ['.', 'freezes the range, or pauses a page without one; again to resume'],
  ['c', 'copies what the page reads as curl'],
  ['y', 'copies the address of this view'],
  ['[ ]', 'the previous and the next item of the list'],
  ['Escape', 'closes what is open'],
  ['?', 'this help'],
];

/** The keys and their actions. */
export function KeyboardHelp({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="Keyboard" close={close}>
      <dl className={styles['keys']}>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <Button onClick={close} look="primary">
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
