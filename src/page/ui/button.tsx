import type { ButtonHTMLAttributes, ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icons.tsx';

interface Props extends Omit<ButtonHTMLAttributes, 'icon'> {
  readonly icon?: IconName | undefined;
  readonly look?: 'primary' | 'quiet' | 'danger' | 'plain';
  /** Whether it shows only its icon on a narrow screen. */
  readonly isCompact?: boolean;
  readonly children?: ComponentChildren;
}

/** A button; it submits no form unless its type says so. */
export function Button({ icon, look = 'plain', isCompact = false, children, ...rest }: Props): JSX.Element {
  return (
    <button type="button" class={`button ${look} ${isCompact ? 'compact' : ''}`} {...rest}>
      {icon !== undefined && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

/** A button that shows only an icon; its name is its label and its tooltip. */
export function IconButton({
  label,
  icon,
  ...rest
}: Omit<Props, 'children'> & { label: string; icon: IconName }): JSX.Element {
  return (
    <button type="button" class="icon-button" aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}
