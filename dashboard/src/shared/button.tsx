import type { ButtonHTMLAttributes } from 'react';
import styles from './button.module.css';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
}

export function Button({ look = 'plain', type = 'button', className = '', ...others }: ButtonProps) {
  return (
    <button
      {...others}
      type={type}
      className={`${styles['button'] ?? ''} ${styles[look] ?? ''} ${className}`}
    />
  );
}
