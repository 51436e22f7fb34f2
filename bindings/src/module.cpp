// The library module is the bindings and nothing else; a module of your own may have more.
int main() { return 0; }
