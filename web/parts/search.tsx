/** The search box in the bar: a combobox whose list comes from parts/found.ts. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import type { Found } from './found.ts'
import { PickList, pickId, walk } from './pick-list.tsx'

const LIST = 'found'

/**
 * Returns the attributes of a combobox. Its list is drawn separately, to show the kind of each
 * result.
 */
const combobox = (isOpen: boolean, active: number | undefined) => ({
  role: 'combobox' as const,
  list: undefined,
  'aria-autocomplete': 'list' as const,
  'aria-controls': LIST,
  'aria-expanded': isOpen,
  'aria-activedescendant': active === undefined ? undefined : pickId(LIST, active),
})

let field: HTMLInputElement | null = null
export const focusSearch = (): void => field?.focus()

const renderFound = ({ name, kind }: Found) => (
  <>
    <span class="name">{name}</span>
    <span class="muted">{kind}</span>
  </>
)

export function Search() {
  const input = useRef<HTMLInputElement>(null)
  const found = useSignal<readonly Found[]>([])
  const at = useSignal(0)
  const isOpen = useSignal(false)
  const searched = useRef('')
  const searching = useRef(Promise.resolve())
  useEffect(() => {
    field = input.current
  }, [])
  const search = async (text: string) => {
    searched.current = text
    // Without the server nothing is found; the next key tries again.
    const load = import('./found.ts').then(({ find }) => find(text))
    const rows = await load.catch((): readonly Found[] => [])
    if (searched.current !== text) return
    found.value = rows
    at.value = 0
    isOpen.value = text.trim() !== ''
  }
  const startSearch = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    searching.current = search(currentTarget.value)
  }
  const close = () => {
    isOpen.value = false
  }
  const choose = ({ href }: Found) => {
    go(href)
    close()
    if (input.current) input.current.value = ''
    input.current?.blur()
  }
  /** Chooses a result once the search for the whole text has ended. */
  const chooseFound = async () => {
    await searching.current
    if (isOpen.value && found.value.length > 0) choose(found.value[at.value])
  }
  const press = (event: KeyboardEvent) => {
    const count = found.value.length
    if (event.key === 'Enter' && searched.current.trim() !== '') void chooseFound()
    else if (event.key === 'Escape') {
      if (!isOpen.value) input.current?.blur()
      close()
    } else if (!walk(event, at, count)) return
    event.preventDefault()
  }
  return (
    <search class="search">
      <input
        ref={input}
        type="search"
        {...combobox(isOpen.value, isOpen.value && found.value.length > 0 ? at.value : undefined)}
        aria-label="Search systems, stations, items and players"
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        onInput={startSearch}
        onFocus={startSearch}
        onBlur={() => setTimeout(close, 150)}
        onKeyDown={press}
      />
      <span class="hint">/</span>
      {isOpen.value && <Results rows={found.value} at={at.value} choose={choose} press={press} />}
    </search>
  )
}

interface ResultsProps {
  readonly rows: readonly Found[]
  readonly at: number
  readonly choose: (row: Found) => void
  readonly press: (event: KeyboardEvent) => void
}

function Results(props: ResultsProps) {
  return (
    <div class="found">
      <PickList id={LIST} label="Found" keyOf={({ href }) => href} {...props}>
        {renderFound}
      </PickList>
      <p class="muted" role="status">
        {props.rows.length === 0 && 'Nothing found by this name'}
      </p>
    </div>
  )
}
