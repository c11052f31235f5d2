/**
 * An audit of a page, run in the page itself: contrast of every text, names of all controls, ids
 * used once, one main part, no sideways scroll, targets large enough.
 */

/** A script that returns a line for each problem. */
export const AUDIT = `(() => {
  const found = []
  const CONTRAST_MIN = 4.5
  const LARGE_CONTRAST_MIN = 3
  const TARGET_PX_MIN = 24
  const numbers = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number)
  const linear = (part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  const contrast = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y)
    return (high + 0.05) / (low + 0.05)
  }
  /** Returns the colour behind an element: half-transparent backgrounds are blended. */
  const groundOf = (element) => {
    const layers = []
    for (let node = element; node; node = node.parentElement) {
      const [r, g, b, a = 1] = numbers(getComputedStyle(node).backgroundColor)
      if (a > 0) layers.push([r, g, b, a])
      if (a === 1) break
    }
    return layers.reverse().reduce(
      (under, [r, g, b, a]) => [r, g, b].map((part, i) => part * a + under[i] * (1 - a)),
      [0, 0, 0],
    )
  }
  const isShown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest('.hidden, .skip, [aria-hidden=true], option')
  const nameOf = (element) => {
    const labelledBy = element.getAttribute('aria-labelledby')
    const label = element.labels?.[0]
    return [
      element.getAttribute('aria-label'),
      labelledBy && document.getElementById(labelledBy)?.textContent,
      label?.textContent,
      element.textContent,
      element.getAttribute('title'),
      element.querySelector('title')?.textContent,
    ].some((text) => text?.trim())
  }
  const tagOf = (element) => element.outerHTML.replace(/\\s+/g, ' ').slice(0, 110)

  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const seen = new Set()
  while (walk.nextNode()) {
    const { parentElement: element, textContent } = walk.currentNode
    if (!textContent.trim() || seen.has(element) || !isShown(element)) continue
    seen.add(element)
    if (element.closest('svg, :disabled')) continue
    const style = getComputedStyle(element)
    const size = Number.parseFloat(style.fontSize)
    const isLarge = size >= 24 || (size >= 18.5 && Number(style.fontWeight) >= 600)
    const ratio = contrast(numbers(style.color), groundOf(element))
    if (ratio < (isLarge ? LARGE_CONTRAST_MIN : CONTRAST_MIN))
      found.push('contrast ' + ratio.toFixed(2) + ': ' + tagOf(element))
  }
  const PRESSED = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab]'
  for (const element of document.querySelectorAll(PRESSED)) {
    if (!isShown(element)) continue
    if (!nameOf(element)) found.push('without a name: ' + tagOf(element))
    const { width, height } = element.getBoundingClientRect()
    // Links and commands within text are as high as their line.
    const isInText = element.matches('button.inline') ||
      (element.matches('a') && getComputedStyle(element).display === 'inline')
    const isBox = element.matches('input[type=checkbox], input[type=radio]')
    if (isInText || isBox || element.closest('label')) continue
    if (Math.min(width, height) < TARGET_PX_MIN - 0.5)
      found.push('target ' + width.toFixed(0) + ' x ' + height.toFixed(0) + ': ' + tagOf(element))
  }
  const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
  for (const id of new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
    found.push('used twice: #' + id)
  for (const image of document.querySelectorAll('svg, img'))
    if (!image.closest('[aria-hidden=true]') && !nameOf(image))
      found.push('picture without a name: ' + tagOf(image))
  if (document.querySelectorAll('main').length !== 1) found.push('not one main part')
  if (!document.title.includes('Orrery')) found.push('title: ' + document.title)
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth > clientWidth) found.push('sideways: ' + scrollWidth + ' in ' + clientWidth)
  return found
})()`
