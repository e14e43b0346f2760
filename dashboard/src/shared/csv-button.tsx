import { Download } from 'lucide-react';
import { Button } from './button.js';
import { download } from './download.js';
import { csvOf, type CsvValue } from './csv.js';

interface CsvButtonProps {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly rows: () => readonly Readonly<Record<string, CsvValue>>[];
}

/** Downloads what is shown as a file for a spreadsheet. */
export function CsvButton({ name, rows }: CsvButtonProps) {
  return (
    <Button onClick={() => download(`${name}.csv`, 'text/csv', csvOf(rows()))}>
      <Download size={15} aria-hidden="true" />
      CSV
    </Button>
  );
}
