import { useEffect, useRef } from 'react';
import { onColourChange } from '../../shared/colour-change.js';
import type { TreeRow } from './tree.js';
import styles from './waterfall.module.css';

interface MinimapProps {
  readonly rows: readonly TreeRow[];
  readonly length: number;
  readonly go: (index: number) => void;
}

const height = 56;
/** Width of the mark next to a failed span, which distinguishes it without colours. */
const markWidth = 8;

/** The whole trace at a glance; a click scrolls there. Screen readers find the same in the rows below. */
export function Minimap({ rows, length, go }: MinimapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    const draw = (): void => {
      const scale = devicePixelRatio;
      element.width = element.clientWidth * scale;
      element.height = height * scale;
      const context = element.getContext('2d');
      if (context === null) return;
      const { color, caretColor } = getComputedStyle(element);
      const thickness = Math.max(1, element.height / Math.max(1, rows.length));
      const mark = markWidth * scale;
      const room = element.width - 2 * mark;
      const bar = ({ span }: TreeRow, index: number): void => {
        const left = length === 0 ? 0 : (span.offset_ms / length) * room;
        const width = length === 0 ? room : (span.duration_ms / length) * room;
        const top = (index / rows.length) * element.height;
        context.fillRect(left, top, Math.max(1, width), thickness);
        if (span.status === 'error')
          context.fillRect(element.width - mark, top - scale, mark, thickness + 2 * scale);
      };
      // All spans of one colour together, because the browser parses the colour each time it is set.
      for (const isFailed of [false, true]) {
        context.fillStyle = isFailed ? caretColor : color;
        rows.forEach((row, index) => {
          if ((row.span.status === 'error') === isFailed) bar(row, index);
        });
      }
    };
    // It also reports the initial size.
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    const endColours = onColourChange(draw);
    return () => {
      observer.disconnect();
      endColours();
    };
  }, [rows, length]);
  return (
    <canvas
      ref={canvas}
      className={styles['minimap']}
      aria-hidden="true"
      onClick={({ nativeEvent: { offsetY } }) => go(Math.floor((offsetY / height) * rows.length))}
    />
  );
}
