/** Returns the cached value of a key, or makes it. If the cache is full, it is emptied first. */
export function cachedIn<Value>(
  cache: Map<string, Value>,
  max: number,
  key: string,
  make: (key: string) => Value,
): Value {
  let value = cache.get(key);
  if (value === undefined) {
    value = make(key);
    if (cache.size >= max) cache.clear();
    cache.set(key, value);
  }
  return value;
}
