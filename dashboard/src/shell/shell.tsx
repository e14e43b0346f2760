import { useQueryClient } from '@tanstack/react-query';
import { BookOpen, Keyboard, LogOut, Moon, Sun, SunMoon } from 'lucide-react';
import { useCallback, useEffect, useState, type ReactNode } from 'react';
import { useRoute } from 'wouter';
import { signOut, type Session } from '../api/session.js';
import { Button } from '../shared/button.js';
import { zoneName, type Zone } from '../shared/format.js';
import { Link } from '../shared/link.js';
import { reasonOf } from '../shared/reason-of.js';
import { useAddress } from '../shared/use-address.js';
import { storeZone } from '../shared/zone.js';
import { areas } from './areas.js';
import { Freshness, PauseButton } from './freshness.js';
import { IdSearch } from './id-search.js';
import { KeyboardHelp } from './keyboard-help.js';
import styles from './shell.module.css';
import { applyTheme, storedTheme, type Theme } from './theme.js';
import { useShortcuts } from './use-shortcuts.js';

/** How long the message after a shortcut is shown. */
const saidMs = 4_000;

/** The frame of every page: navigation, the person who is signed in, and the time zone. */
export function Shell({ session, children }: { readonly session: Session; readonly children: ReactNode }) {
  const [isHelpShown, showHelp] = useState(false);
  const [said, say] = useState('');
  useShortcuts(
    useCallback(() => showHelp(true), []),
    say,
  );
  useEffect(() => {
    const timer = setTimeout(() => say(''), saidMs);
    return () => clearTimeout(timer);
  }, [said]);
  const subject = session.subject === null ? session.role : `${session.subject} (${session.role})`;
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#content">
        Skip to the content
      </a>
      <nav className={styles['rail']} aria-label="Pages">
        <Link href="/" className={styles['brand']}>
          Telltale
        </Link>
        {areas.map((area) => (
          <Area key={area.path} path={area.path} name={area.name} icon={area.icon} />
        ))}
        <a className={`${styles['area'] ?? ''} ${styles['reference'] ?? ''}`} href="/reference">
          <BookOpen size={17} aria-hidden="true" />
          API reference
        </a>
      </nav>
      <header className={styles['bar']}>
        <span className={styles['who']} title={`Workspace ${session.workspace}, signed in as ${subject}`}>
          Workspace <strong>{session.workspace}</strong>, signed in as {subject}
        </span>
        <IdSearch />
        <div className={styles['freshness']}>
          <Freshness />
        </div>
        <PauseButton />
        <ZoneChoice />
        <ThemeChoice />
        <Button look="quiet" onClick={() => showHelp(true)} title="Keyboard" aria-label="Keyboard help">
          <Keyboard size={17} aria-hidden="true" />
        </Button>
        <SignOut />
        <span role="status">{said}</span>
      </header>
      <main id="content" className={styles['content']} tabIndex={-1}>
        {children}
      </main>
      {isHelpShown ? <KeyboardHelp close={() => showHelp(false)} /> : null}
    </div>
  );
}

function Area({ path, name, icon: Icon }: Pick<(typeof areas)[number], 'path' | 'name' | 'icon'>) {
  const [isHere] = useRoute(path === '/' ? '/' : `${path}/*?`);
  return (
    <Link href={path} className={styles['area']} aria-current={isHere ? 'page' : undefined}>
      <Icon size={17} aria-hidden="true" />
      {name}
    </Link>
  );
}

function ZoneChoice() {
  const { zone, set } = useAddress();
  const choose = (tz: Zone): void => {
    storeZone(tz);
    set({ tz });
  };
  return (
    <label className={styles['choice']}>
      <span className="visually-hidden">Time zone</span>
      <select value={zone} onChange={(event) => choose(event.target.value === 'local' ? 'local' : 'utc')}>
        <option value="utc">UTC</option>
        <option value="local">{`Local (${zoneName('local')})`}</option>
      </select>
    </label>
  );
}

const themes = {
  system: { next: 'light', icon: SunMoon, name: 'as the system' },
  light: { next: 'dark', icon: Sun, name: 'light' },
  dark: { next: 'system', icon: Moon, name: 'dark' },
} as const;

function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(storedTheme);
  const { next, icon: Icon, name } = themes[theme];
  const turn = (): void => {
    applyTheme(next);
    setTheme(next);
  };
  return (
    <Button look="quiet" onClick={turn} title={`Theme: ${name}`} aria-label={`Theme: ${name}. Change it`}>
      <Icon size={17} aria-hidden="true" />
    </Button>
  );
}

function SignOut() {
  const client = useQueryClient();
  const [failure, setFailure] = useState<string>();
  const leave = (): void => {
    setFailure(undefined);
    signOut(client).catch((error: unknown) => setFailure(reasonOf(error)));
  };
  return (
    <>
      <Button look="quiet" onClick={leave}>
        <LogOut size={16} aria-hidden="true" />
        Sign out
      </Button>
      {failure === undefined ? null : (
        <span className="mistake" role="alert">
          You are still signed in. {failure}
        </span>
      )}
    </>
  );
}
