import { useAddress } from './use-address.js';

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  /** Values, with their labels if those differ. */
  readonly options: readonly (string | readonly [string, string])[];
  readonly choose: (value: string) => void;
  /** The label for no choice; undefined if one value is always chosen. */
  readonly none?: string;
}

/** One of a few values, as a filter. */
export function Choice({ label, value, options, choose, none }: ChoiceProps) {
  return (
    <label className="field">
      {label}
      <select value={value} onChange={(event) => choose(event.target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {options.map((option) => {
          const [of, words] = typeof option === 'string' ? [option, option.replaceAll('_', ' ')] : option;
          return (
            <option key={of} value={of}>
              {words}
            </option>
          );
        })}
      </select>
    </label>
  );
}

type FilterChoiceProps = Omit<ChoiceProps, 'value' | 'choose'> & { readonly name: string };

/** A choice that is kept in the address, under this name. */
export function FilterChoice({ name, ...rest }: FilterChoiceProps) {
  const { get, set } = useAddress();
  return <Choice {...rest} value={get(name)} choose={(value) => set({ [name]: value })} />;
}
