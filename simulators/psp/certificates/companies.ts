/** Made-up companies with right check digits, one for each merchant in turn. */
export const MERCHANT_COMPANIES = [
  {
    name: 'Pagamentos Aurora Ltda',
    cnpj: '11222333000181',
    street: 'Avenida Paulista, 1000',
    city: 'São Paulo',
    state: 'SP',
    zipCode: '01310100',
  },
  {
    name: 'Comércio Boa Vista SA',
    cnpj: '12ABC34501DE35',
    street: 'Rua da Praia, 200',
    city: 'Porto Alegre',
    state: 'RS',
    zipCode: '90010200',
  },
  {
    name: 'Serviços Cerrado Ltda',
    cnpj: '45997418000153',
    street: 'Rua 9 de Julho, 30',
    city: 'Goiânia',
    state: 'GO',
    zipCode: '74003010',
  },
] as const
