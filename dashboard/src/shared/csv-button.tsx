import { Download } from 'lucide-react';
import { Button } from './button.js';
import { csvOf, type CsvValue } from './csv.js';

interface CsvButtonProps {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly rows: () => readonly Readonly<Record<string, CsvValue>>[];
}

/** Downloads what is shown as a file for a spreadsheet. */
export function CsvButton({ name, rows }: CsvButtonProps) {
  const download = (): void => {
    const address = URL.createObjectURL(new Blob([csvOf(rows())], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = address;
    link.download = `${name}.csv`;
    link.click();
    URL.revokeObjectURL(address);
  };
  return (
    <Button onClick={download}>
      <Download size={15} aria-hidden="true" />
      CSV
    </Button>
  );
}
