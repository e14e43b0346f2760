import { useEffect, useRef } from 'react';
import type { TreeRow } from './tree.js';
import styles from './waterfall.module.css';

interface MinimapProps {
  readonly rows: readonly TreeRow[];
  readonly length: number;
  readonly go: (index: number) => void;
}

const height = 56;

/**
 * The whole trace at a glance; a click scrolls there. The rows below have the same content for people who can't see it.
 */
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
      rows.forEach(({ span }, index) => {
        context.fillStyle = span.status === 'error' ? caretColor : color;
        const left = length === 0 ? 0 : (span.offset_ms / length) * element.width;
        const width = length === 0 ? element.width : (span.duration_ms / length) * element.width;
        context.fillRect(left, (index / rows.length) * element.height, Math.max(1, width), thickness);
      });
    };
    draw();
    const observer = new ResizeObserver(draw);
    observer.observe(element);
    return () => observer.disconnect();
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
